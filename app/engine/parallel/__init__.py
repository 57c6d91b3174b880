"""Work in other processes: workers, what travels to them, and what runs there."""
