function r = small_inventory()
items = {'nut', 'bolt', 'gear'}; stock = struct('nut', 5, 'bolt', 7, 'gear', 2); for k = 1:300, n = items{mod(k, 3) + 1}; stock.(n) = stock.(n) + mod(k, 4) - 1; end
r = stock.nut + 2*stock.bolt + 3*stock.gear;
end
