"""English templates of everything Némésis says, by code; each module of this folder holds one chapter's."""
