a = 1:3;
disp(size(a([])));
disp(size(a(zeros(1, 0))));
disp(size(a(:, [])));
disp(size(a(false(1, 3))));
m = magic(3);
disp(size(m([])));
disp(size(m(zeros(1, 0))));
