"""What the rules say to a player, in English and Russian: sentences, refusals, options, names."""

from games.rules.texts.bilingual import Bilingual, Language
from games.rules.texts.options import OptionText, option_names, option_text
from games.rules.texts.refusals import RefusalText, refusal_codes, refusal_text
from games.rules.texts.rulesets import RulesetText, ruleset_text
from games.rules.texts.sentences import Sentence, sentence, sentence_ids, sentences_for

__all__ = [
    "Bilingual",
    "Language",
    "OptionText",
    "RefusalText",
    "RulesetText",
    "Sentence",
    "option_names",
    "option_text",
    "refusal_codes",
    "refusal_text",
    "ruleset_text",
    "sentence",
    "sentence_ids",
    "sentences_for",
]
