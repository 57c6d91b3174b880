classdef Color < uint8
  enumeration
    Red (1)
    Green (2)
    Blue (4)
  end
  methods
    function tf = isWarm(c), tf = c == Color.Red; end
  end
end
