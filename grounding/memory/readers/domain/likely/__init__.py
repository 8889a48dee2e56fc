"""What a report that is not read surely most likely tells, of all that may become so as things are."""
