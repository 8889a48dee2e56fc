"""English → meaning without a model: lexicon, grammar, chart parser, discourse."""
