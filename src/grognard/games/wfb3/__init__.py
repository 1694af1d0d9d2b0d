"""Warhammer Fantasy Battle, 3rd edition (1987): manoeuvres, rout and pursuit, and a game master's seat."""
