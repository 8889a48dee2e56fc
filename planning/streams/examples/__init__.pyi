from .blocksworld import blocks as blocks
from .blocksworld import blocks_with_derived_predicates as blocks_with_derived_predicates
from .continuous_tamp import blocked as blocked
from .continuous_tamp import mirror as mirror
from .continuous_tamp import tight as tight
from .discrete_tamp import shelf as shelf
from .kitchen import coffee as coffee
