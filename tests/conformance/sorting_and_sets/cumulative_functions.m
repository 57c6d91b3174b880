cumsum([1 2; 3 4]), cumsum([1 2; 3 4], 2), cumprod([1 2 3]), cummax([1 3 2]), diff([1 4 9]), diff([1 4 9], 2)
