classdef Day
  enumeration
    Monday, Tuesday, Sunday
  end
end
