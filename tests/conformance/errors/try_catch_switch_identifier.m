try, error('pkg:kind', 'm'); catch e, switch e.identifier, case 'pkg:other', disp('other'); case {'pkg:kind', 'x'}, disp('kind'); end, end
