"""What the proof of a fair deal covers and what it does not, in words."""

from functools import lru_cache

import msgspec

from games.rules.texts.bilingual import Bilingual, read_toml


class FairnessTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence for each thing that is proved, and for each that is not."""

    covers: list[Bilingual]
    limits: list[Bilingual]


@lru_cache(maxsize=1)
def fairness_texts() -> FairnessTexts:
    """The sentences of the fairness page."""
    return msgspec.convert(read_toml("fairness.toml"), FairnessTexts)
