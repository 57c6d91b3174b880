function r = small_image_blur()
A = mod(reshape((1:900)*7919, 30, 30), 256); B = A; for i = 2:29, for j = 2:29, B(i,j) = mean(mean(A(i-1:i+1, j-1:j+1))); end, end
r = sum(B(:));
end
