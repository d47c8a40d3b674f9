"""From the one source of an assignment to what students, graders and teachers get."""
