"""Things that no label list has, to train, calibrate and test what knows things by words."""
