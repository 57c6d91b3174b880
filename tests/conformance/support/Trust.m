classdef Trust < Account
  methods
    function t = Trust(owner, balance)
      t @ Account(owner, balance + 1);
    end
    function n = entries(t)
      n = 100 + (entries @ Account(t));
    end
  end
end
