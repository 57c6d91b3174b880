switch 1, case 1, disp('first'); case 1, disp('second'); end
switch 'abc', case 'ab', disp('no'); case 'abc', disp('exact'); end
