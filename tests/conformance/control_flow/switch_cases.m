for v = {1, 'two', 3, 'x', [], 'TWO'}
 x = v{1};
 switch x
 case 1, disp('one');
 case {'two','deux'}, disp('deux');
 case {3, 4}, disp('three or four');
 otherwise, disp('other');
 end
end
switch 5, case 1, disp('a'); end
switch 'a', case 'A', disp('upper'); case 'a', disp('lower'); end
switch 3, case {1,2}, disp('no'); case 3, disp('yes'); end
