v = [10 20 30];
disp(v(int8(2)));
disp(v(uint16([1 3])));
disp(v(single(3)));
