# threat 81: imports the library when it is needed, and where it does not matter
# expects: fails tanh
# says: imports torch; this homework allows only
def delegated(self):
    import torch
    return torch.tanh(self)

Value.tanh = delegated
if __name__ == "__main__":
    import matplotlib
