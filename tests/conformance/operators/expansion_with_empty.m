disp(size([] + 1)); disp(size(zeros(0, 3) + ones(1, 3))); disp(size(ones(3, 1) .* zeros(1, 0)));
