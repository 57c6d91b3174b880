A = reshape(1:6, 1, 2, 3); B = permute(A, [3 2 1]); disp(B); disp(size(ipermute(B, [3 2 1]))); disp(reshape(A, 3, 2)); disp(size(reshape(A, 2, [], 1)));
