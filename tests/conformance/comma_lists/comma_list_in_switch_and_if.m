c = {true}; if c{:}, disp('yes'), end
switch 'b', case {'a', 'b'}, disp('in list'), otherwise, disp('no'), end
