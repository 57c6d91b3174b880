% dialect: matlab
% oracle: Octave's MException has fewer methods
base = MException('a:b', 'Value %d is bad', 7);
cause = MException('c:d', 'because');
base = addCause(base, cause);
disp(base.identifier), disp(base.message), numel(base.cause), disp(base.cause{1}.message)
try, throw(base), catch e, disp(e.cause{1}.identifier), end
try, error(struct('identifier', 'x:y', 'message', 'from a struct')), catch e, disp([e.identifier ' ' e.message]), end
function outer(), inner_(), end
function inner_(), try, error('in:ner', 'deep'), catch e, throwAsCaller(e), end, end
try, outer(), catch e, disp(e.stack(1).name), end
try, rethrow(e), catch f, isequal(e.message, f.message), end
disp(class(base.stack))
class(e), isa(e, 'MException'), isempty(MException('a:b', 'c').stack)
