try, error(struct('message', 'from struct', 'identifier', 's:t')); catch e, disp(e.message); disp(e.identifier); end
