% oracle: disp of an empty array shows nothing
disp(5); disp(-3); disp(1.5); disp([1 2 3]); disp([1.5 2.25]); disp(1e10); disp(true); disp([1; 2]); disp('text'); disp({}); disp(int8([1 2])); disp([]); disp(0.1 + 0.2); disp(100000); disp(123456.789); disp(1/3);
