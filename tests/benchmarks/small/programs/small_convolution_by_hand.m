function r = small_convolution_by_hand()
a = mod((1:120)*7, 11); b = mod((1:40)*5, 7); c = zeros(1, 159); for i = 1:120, for j = 1:40, c(i+j-1) = c(i+j-1) + a(i)*b(j); end, end
r = sum(c.^2);
end
