disp([1 2; 3 4]); disp([1, 2, 3]); disp([[1;2], [3;4]]); disp(size([[], 1])); disp([1 [] 2]); disp(['ab'; 'cd']); a = [1 2]; disp([a; a * 2]); disp([a, 3; 4 5 6]); disp(class([int8(1) 2.7])); disp(class([single(1) 2])); disp(class([true 2])); disp(class(['a' true]));
disp(size([zeros(1,0), 1])); disp(size([zeros(0,2); 1 2])); try, [1 2; 3], catch, disp('ragged'); end, try, [1 2, [3;4]], catch, disp('rows'); end, disp([1 -2]); disp([1 - 2]); disp([a' a']); disp([a', a']); x = [1 2
3 4]; disp(x);
