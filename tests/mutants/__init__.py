"""Small changes to the rules' modules, one at a time: which of them no case notices? See docs/mutants.md."""
