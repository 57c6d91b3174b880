function r = small_coin_change()
c = [1 5 10 25 50]; w = [1 zeros(1, 500)];
for k = 1:5, for j = c(k):500, w(j+1) = w(j+1) + w(j+1-c(k)); end, end
r = w(end);
end
