# caption: Time of a <unit> & "more", in s.
