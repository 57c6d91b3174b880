linspace(0, 1, 5)
logspace(0, 2, 3)
numel(linspace(1, 10))
