fact = @(self, n) ifelse_(n, self); function r = ifelse_(n, self), if n < 2, r = 1; else, r = n * self(self, n - 1); end, end
disp(fact(fact, 5));
