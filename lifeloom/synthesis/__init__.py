"""Makes data: seeds, personas, plans and dialogues, validation, cases."""
