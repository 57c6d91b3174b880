function n = repeating(x, varargin)
  arguments
    x
  end
  arguments (Repeating)
    varargin
  end
  n = numel(varargin) + x;
end
