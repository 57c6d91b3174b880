% Octave's dialect: identifiers and messages are Octave's where programs of it ask for them.
function r = one(a), r = a; end
function none(a), end
function told(action), try, action(); catch e, printf('%s {%s}\n', e.message, e.identifier); end, end
told(@() one(1, 2)); told(@() one()); told(@() nosuchname(1)); told(@() cellfun(@(x) nosuchname, {1}));
try, [a, b] = one(1); catch e, disp(e.message), disp(e.identifier), end
try, x = none(1); catch e, disp(e.message), end
try, h = @(x) x; h(1, 2), catch e, disp(e.message), end
try, y = nosuchname + 1; catch, disp(lasterr), end
try, nosuchname.field, catch e, disp(strcmp(e.identifier, 'Octave:undefined-function')), end
try, [1 2 3] + [1 2]; catch e, disp(e.identifier), disp(any(strfind(e.message, 'nonconformant'))), end
try, ones(2, 3) * ones(2, 3); catch e, disp(e.identifier), end
try, strtrim(); catch e, disp(strncmp(e.message, 'Invalid call to strtrim', 23)), disp(e.identifier), end
try, strtrim('a', 'b'); catch e, disp(any(strfind(e.message, 'called with too many inputs'))), end
try, strtrim(1); catch e, disp(isempty(e.message)), end
try, try, one(1, 2); catch e, rethrow(e); end, catch e, disp(e.message), end
eval('one(1, 2)', 'disp(lasterr)');
