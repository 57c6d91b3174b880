% oracle: func2str keeps MATLAB's compact text
func2str(@(x, y) x + y * 2)
func2str(@(varargin) numel(varargin))
func2str(@() disp('a b'))
