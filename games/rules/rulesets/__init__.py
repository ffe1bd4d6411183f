"""Rulesets as validated data: every dial of a family, and the presets that set them."""
