function say(varargin), fprintf('<%s>', varargin{:}); fprintf('\n'); end
say hello world
say -opt 'two words' 3
say a, disp('next')
