"""The kernel: who gets where when all orders are carried out at once, over plain numbers. See `docs/kernel.md`."""
