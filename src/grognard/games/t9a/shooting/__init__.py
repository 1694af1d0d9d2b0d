"""Chapter 14: the Shooting Phase: who may shoot at whom; artillery and breath."""
