function x = arithdeco(code, counts, n)
% x = arithdeco(code, counts, n): the n whole numbers that arithenco made code of.
[above, total, width] = arithmetic_model(counts, 'arithdeco');
if any(code(:) ~= 0 & code(:) ~= 1)
    error('comm:arithdeco:InvalidCode', 'The code must consist of zeros and ones.');
end
half = 2^(width - 1);
quarter = half/2;
bits = [double(code(:)') zeros(1, width)];
value = bits(1:width)*2.^(width - 1:-1:0)';
[low, high, next, x] = deal(0, 2*half - 1, width + 1, zeros(1, n));
for k = 1:n
    span = high - low + 1;
    part = floor(((value - low + 1)*total - 1)/span);
    symbol = find(above <= part, 1, 'last');
    x(k) = symbol;
    high = low + floor(span*above(symbol + 1)/total) - 1;
    low = low + floor(span*above(symbol)/total);
    while true
        if high < half
        elseif low >= half
            [low, high, value] = deal(low - half, high - half, value - half);
        elseif low >= quarter && high < half + quarter
            [low, high, value] = deal(low - quarter, high - quarter, value - quarter);
        else
            break
        end
        bit = 0;
        if next <= numel(bits), bit = bits(next); end
        next = next + 1;
        [low, high, value] = deal(2*low, 2*high + 1, 2*value + bit);
    end
end
end
