classdef Stack < handle
  properties, items = {}; end
  methods
    function s = Stack(), end
    push(s, v)
    v = pop(s)
  end
end
