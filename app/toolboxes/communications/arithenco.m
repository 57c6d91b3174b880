function code = arithenco(x, counts)
% code = arithenco(x, counts): whole numbers from 1 on as a row of bits by arithmetic coding, where
%   counts says how often each of them comes. arithdeco(code, counts, numel(x)) gives them back.
%   Method: I. H. Witten, R. M. Neal and J. G. Cleary, Comm. ACM 30 (1987) 520-540.
[above, total, width] = arithmetic_model(counts, 'arithenco');
if any(x(:) < 1 | x(:) > numel(counts) | x(:) ~= fix(x(:)))
    error('comm:arithenco:InvalidSeq', 'The symbols must be whole numbers from 1 to %d.', numel(counts));
elseif any(counts(x) == 0)
    error('comm:arithenco:InvalidCounts', 'A symbol comes that counts says never comes.');
end
half = 2^(width - 1);
quarter = half/2;
[low, high, waiting, code] = deal(0, 2*half - 1, 0, []);
for symbol = x(:)'
    span = high - low + 1;
    high = low + floor(span*above(symbol + 1)/total) - 1;
    low = low + floor(span*above(symbol)/total);
    while true
        if high < half
            [code, waiting] = deal([code 0 ones(1, waiting)], 0);
        elseif low >= half
            [code, waiting] = deal([code 1 zeros(1, waiting)], 0);
            [low, high] = deal(low - half, high - half);
        elseif low >= quarter && high < half + quarter
            waiting = waiting + 1;
            [low, high] = deal(low - quarter, high - quarter);
        else
            break
        end
        [low, high] = deal(2*low, 2*high + 1);
    end
end
waiting = waiting + 1;
if low < quarter, code = [code 0 ones(1, waiting)]; else, code = [code 1 zeros(1, waiting)]; end
end
