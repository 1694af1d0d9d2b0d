"""Chapter 4.2.2: what an activated fighter may do, and each action as it is done."""
