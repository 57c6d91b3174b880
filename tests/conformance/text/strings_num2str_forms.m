num2str(1.5), num2str(100), num2str(1e10), num2str(-0.001), num2str([1.5 2; 3 4]), num2str(true), num2str(int8(5)), num2str(1+2i), num2str(123456.789)
