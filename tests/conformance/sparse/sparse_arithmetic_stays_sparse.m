S = sparse([1 0; 0 2]); issparse(S * 2), issparse(S + S), issparse(S .* [1 2; 3 4]), issparse(S + 1), full(S * S), full(S')
