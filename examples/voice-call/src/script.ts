/** What a caller says, and what becomes of it. Without a voice of its own, the script says how long it takes. */
export interface Turn {
  readonly question: string;
  /** Seconds that the caller speaks, and that the answer is spoken. */
  readonly asking: number;
  readonly answering: number;
  readonly answer: string;
}

/** A call to a hotel's reception. */
export const turns: readonly Turn[] = [
  {
    question: "Good evening. Do you have a room for two on Friday?",
    asking: 3.4,
    answer: "Good evening! Yes, we do: a double with a view of the garden, for one hundred and twenty.",
    answering: 5.6,
  },
  {
    question: "Is breakfast included?",
    asking: 1.7,
    answer: "It is. We serve it from seven to half past ten, on the terrace when the sun is out.",
    answering: 5.2,
  },
  {
    question: "And may we bring our dog? He is a small one, and very well behaved.",
    asking: 4.1,
    answer: "Of course. There is a bowl at the door, and a park behind the house.",
    answering: 4.8,
  },
  {
    question: "Then please book it, in the name of Miller.",
    asking: 2.9,
    answer: "It is booked for Miller, Friday to Saturday. You will find us by the church. See you on Friday!",
    answering: 6.3,
  },
];

export const lastWords = "Your credits are used up, so I have to hang up. Goodbye!";
