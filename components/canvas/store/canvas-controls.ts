/** The view operations that shortcuts, the toolbar, the outline and the problem list use. */
export interface CanvasControls {
  addNode: () => void;
  /** Adds an empty note in the middle of the view. */
  addNote: () => void;
  fit: () => void;
  /** Fits the selected steps and notes into the view. */
  fitSelection: () => void;
  zoomTo: (zoom: number) => void;
  zoomBy: (factor: number) => void;
  /** Brings a node into view and focuses it. */
  focusNode: (nodeId: string) => void;
  /** Brings a node into view without moving the focus. If that moves the view, `onArrived` is called at the end. */
  showNode: (nodeId: string, onArrived?: () => void) => void;
  toggleOutline: () => void;
  toggleMap: () => void;
  openHelp: () => void;
}
