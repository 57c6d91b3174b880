function r = small_big_factorial()
d = 1;
for k = 2:60
    carry = 0;
    for j = 1:numel(d), p = d(j) * k + carry; d(j) = mod(p, 10); carry = floor(p / 10); end
    while carry > 0, d(end+1) = mod(carry, 10); carry = floor(carry / 10); end
end
r = char(fliplr(d) + '0');
end
