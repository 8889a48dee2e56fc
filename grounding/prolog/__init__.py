"""Assembly: Prolog knowledge bases become parallel, timed plans."""
