function p = opprofit(price, strike, cost, position, type)
% p = opprofit(price, strike, cost, position, type): what an option earns: position 0 long, 1 short; type 0 call, 1 put.
worth = max((1 - 2*type).*(price - strike), 0) - cost;
p = (1 - 2*position).*worth;
end
